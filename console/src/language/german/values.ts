/**
 * Values of the interface in words, as `humanize` writes them: states, kinds, shapes and grades.
 * They are shown by name, so no call of `t` mentions them.
 */
export const VALUES = {
  round: 'rund',
  // The server's answers to a request for a link.
  'If the address has an account, a link is on its way. It works for 30 minutes.':
    'Wenn die Adresse ein Konto hat, ist ein Link unterwegs. Er gilt 30 Minuten.',
  'This market sends no e-mail. Ask an owner or the operator to invite you again.':
    'Dieser Markt sendet keine E-Mails. Bitten Sie um eine neue Einladung.',
  // Kinds of notices.
  'orders that are placed': 'neue Bestellungen',
  'orders that are confirmed': 'bestätigte Bestellungen',
  'orders that are declined': 'abgelehnte Bestellungen',
  'orders that are shipped': 'versandte Bestellungen',
  'orders that are cancelled': 'stornierte Bestellungen',
  returns: 'Rückgaben',
  'offers for a price': 'Preisvorschläge',
  'answers to your offers': 'Antworten auf Ihre Preisvorschläge',
  'memos that are due': 'fällige Kommissionen',
  'holds that are about to end': 'bald endende Reservierungen',
  'saved searches': 'gespeicherte Suchen',
  "questions of your shop's visitors": 'Fragen der Besucher Ihres Shops',
  'feeds that fail': 'fehlgeschlagene Bestandsdateien',
}
