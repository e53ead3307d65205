/** The supplier's own pages: orders, stock and the score card, which the operator sees as well. */
export const SUPPLIER_DESK = {
  'The operator of the market sees the same figures.':
    'Der Betreiber des Marktes sieht dieselben Zahlen.',
  'Stones on sale': 'Steine im Verkauf',
  'Hours since the last file': 'Stunden seit der letzten Datei',
  'With pictures or videos': 'Mit Bildern oder Videos',
  'With a certificate': 'Mit Zertifikat',
  'Dead links to media': 'Tote Links zu Medien',
  'Rows of files': 'Zeilen der Dateien',
  'Rejected rows': 'Abgelehnte Zeilen',
  'Ordered lines': 'Bestellte Positionen',
  'Declined lines': 'Abgelehnte Positionen',
  'Cancelled lines': 'Stornierte Positionen',
  'Hours to confirm': 'Stunden bis zur Bestätigung',
  'Hours to ship': 'Stunden bis zum Versand',
  'Price changes a day': 'Preisänderungen am Tag',
  'Figures by period': 'Zahlen nach Zeitraum',
  Figure: 'Kennzahl',
  '{days} days': '{days} Tage',
  'Why rows were rejected in {days} days': 'Warum in {days} Tagen Zeilen abgelehnt wurden',
}
