"""An FTP server of pyftpdlib: port, folder, user and password."""
import sys

from pyftpdlib.authorizers import DummyAuthorizer
from pyftpdlib.handlers import FTPHandler
from pyftpdlib.servers import FTPServer

port, folder, user, password = sys.argv[1:5]
FTPHandler.authorizer = DummyAuthorizer()
FTPHandler.authorizer.add_user(user, password, folder, perm="elr")
FTPServer(("127.0.0.1", int(port)), FTPHandler).serve_forever()
