/** Share links and the watch list. */
export const SELECTIONS = {
  Share: 'Teilen',
  'Share links': 'Geteilte Links',
  'Share with a customer': 'Mit einem Kunden teilen',
  'Makes a page that shows {stones} at your retail prices.':
    'Erstellt eine Seite, die {stones} zu Ihren Verkaufspreisen zeigt.',
  'It says nothing of what you pay, nor of suppliers.':
    'Was Sie bezahlen und wer liefert, steht dort nicht.',
  'The link works for': 'Der Link gilt',
  'Heading (optional)': 'Überschrift (optional)',
  'Note to the customer (optional)': 'Hinweis für den Kunden (optional)',
  'Create link': 'Link erstellen',
  'Link for your customer': 'Link für Ihren Kunden',
  'Copy the link now. It will not be shown again, and works until {date}.':
    'Kopieren Sie den Link jetzt. Er wird nicht noch einmal angezeigt und gilt bis {date}.',
  'Open the page': 'Seite öffnen',
  'Revoke the link to {name}?': 'Link zu {name} widerrufen?',
  'Whoever has the link sees the page no more. A new link has another address.':
    'Wer den Link hat, sieht die Seite nicht mehr. Ein neuer Link hat eine andere Adresse.',
  'The link has been revoked.': 'Der Link ist widerrufen.',
  'Pages that show stones to your customers at your retail prices.':
    'Seiten, die Ihren Kunden Steine zu Ihren Verkaufspreisen zeigen.',
  'You have not shared a stone yet': 'Sie haben noch keinen Stein geteilt',
  'Choose “Share” at a stone or in a comparison. The link is then listed here.':
    'Wählen Sie „Teilen“ bei einem Stein oder in einem Vergleich. Der Link steht dann hier.',
  'Works until': 'Gültig bis',
  'Created by': 'Erstellt von',
  'Stones shared': 'Steine geteilt',
  'Share link revoked': 'Geteilter Link widerrufen',
  revoked: 'widerrufen',
}
