/** Sorting, selecting and exporting the rows of tables. */
export const TABLES = {
  'Done: {done} of {count}': 'Erledigt: {done} von {count}',
  'Approve {rows}': '{rows} genehmigen',
  'The merchants are told to send the goods back.':
    'Die Händler werden gebeten, die Ware zurückzusenden.',
  'Receive {rows}': '{rows} annehmen',
  'The goods go back into stock, and the merchants are credited their price.':
    'Die Ware kommt zurück in den Bestand, und die Händler erhalten eine Gutschrift.',
  'Accept {quotes}': '{quotes} annehmen',
  'The merchants can order at the prices that they asked for.':
    'Die Händler können zu den Preisen bestellen, die sie vorgeschlagen haben.',
  'Decline {quotes}': '{quotes} ablehnen',
  'The merchants are told, and holds of these quotes end.':
    'Die Händler erfahren davon, und Reservierungen dieser Angebote enden.',
  'Release {rows}': '{rows} freigeben',
  "They are sold as they are until the supplier's next files have other prices.":
    'Sie werden so verkauft, bis die nächsten Dateien des Lieferanten andere Preise haben.',
  'Dismiss {rows}': '{rows} verwerfen',
  "They are not sold until the supplier's next files have other prices.":
    'Sie werden nicht verkauft, bis die nächsten Dateien des Lieferanten andere Preise haben.',
  'quarantine.csv': 'quarantaene.csv',
  'conflicts.csv': 'widersprueche.csv',
  'imports.csv': 'importe.csv',
  'invoices.csv': 'rechnungen.csv',
  'suppliers.csv': 'lieferanten.csv',
  'watch-list.csv': 'merkliste.csv',
  'Remove {stones}': '{stones} entfernen',
  'The prices of the days on which they were marked are forgotten.':
    'Die Preise vom Tag der Aufnahme gehen verloren.',
  'holds.csv': 'reservierungen.csv',
  'Lines without an answer': 'Positionen ohne Antwort',
  'Release {stones}': '{stones}: Reservierung aufheben',
  'Everybody can order them again.': 'Alle können sie wieder bestellen.',
  'By certificate number': 'Nach Zertifikatsnummer',
  'By laboratory': 'Nach Labor',
  'Newest listing first': 'Neueste Listung zuerst',
  'Oldest listing first': 'Älteste Listung zuerst',
  'Most suppliers first': 'Meiste Lieferanten zuerst',
  'Order of the list': 'Reihenfolge der Liste',
  'Differs in': 'Unterschied bei',
  'First entries': 'Erste Einträge',
  'More entries →': 'Weitere Einträge →',
  'Confirm {orders}': '{orders} bestätigen',
  'You promise to deliver every line of them that waits for your answer.':
    'Sie sagen zu, jede Position zu liefern, die auf Ihre Antwort wartet.',
}
