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
  'Open the PDF': 'PDF öffnen',
  'Revoke the link to {name}?': 'Link zu {name} widerrufen?',
  'Nobody can open the page with it any more. A new link has another address.':
    'Niemand kann die Seite damit noch öffnen. Ein neuer Link hat eine andere Adresse.',
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
  Watch: 'Beobachten',
  '✓ Watching': '✓ Beobachtet',
  'Watch list': 'Merkliste',
  'Watch lists': 'Merklisten',
  'On your watch list.': 'Auf Ihrer Merkliste.',
  'No longer on your watch list.': 'Nicht mehr auf Ihrer Merkliste.',
  '{stones} on your watch list.': '{stones} auf Ihrer Merkliste.',
  'Remove {sku} from your watch list?': '{sku} von Ihrer Merkliste entfernen?',
  'The price of the day on which it was marked is forgotten.':
    'Der Preis vom Tag der Aufnahme geht verloren.',
  Withdrawn: 'Zurückgezogen',
  'What happened to the stones that you marked. Notices tell you of it, too.':
    'Was mit den gemerkten Steinen geschehen ist. Mitteilungen sagen es Ihnen auch.',
  'You watch no stone yet': 'Sie beobachten noch keinen Stein',
  'Choose “Watch” at a stone, or for stones that you select in the table.':
    'Wählen Sie „Beobachten“ bei einem Stein oder für ausgewählte Steine der Tabelle.',
  'Wholesale then': 'Einkaufspreis damals',
  'Wholesale now': 'Einkaufspreis jetzt',
  'Retail now': 'Verkaufspreis jetzt',
  'Marked on': 'Gemerkt am',
  'Back since {date}': 'Wieder da seit {date}',
  'Stones watched': 'Steine gemerkt',
  'Stone watched no more': 'Stein nicht mehr gemerkt',
  'Watched stone changed': 'Gemerkter Stein geändert',
}
