/** Saved searches, earlier prices, and lists that changed meanwhile. */
export const SAVED = {
  'Save this search': 'Diese Suche speichern',
  'alert: Off': 'Keine',
  'Within a minute': 'Binnen einer Minute',
  'Once a day': 'Einmal am Tag',
  'Ring for an anniversary': 'Ring zum Jahrestag',
  'Tell me of new stones': 'Über neue Steine benachrichtigen',
  '“{name}” is among your saved searches.': '„{name}“ gehört jetzt zu Ihren gespeicherten Suchen.',
  'The alert of “{name}” has been changed.': 'Die Benachrichtigung von „{name}“ wurde geändert.',
  'Delete “{name}”?': '„{name}“ löschen?',
  'You will no longer be told of stones that match it.':
    'Sie werden nicht mehr über Steine benachrichtigt, die dazu passen.',
  Delete: 'Löschen',
  '“{name}” has been deleted.': '„{name}“ wurde gelöscht.',
  'What you look for often, and what you want to be told of.':
    'Was Sie oft suchen und worüber Sie benachrichtigt werden möchten.',
  'You have not saved a search yet': 'Sie haben noch keine Suche gespeichert',
  'Set filters in the search and choose “Save this search”. It is then listed here.':
    'Setzen Sie in der Suche Filter und wählen Sie „Diese Suche speichern“. Dann steht sie hier.',
  'If you like, notices tell you of stones that start to match.':
    'Auf Wunsch melden Mitteilungen Steine, die neu dazu passen.',
  'Search for diamonds': 'Diamanten suchen',
  'Match now': 'Passen jetzt',
  Alert: 'Benachrichtigung',
  'Saved on': 'Gespeichert am',
  Rename: 'Umbenennen',
  'Rename the search': 'Suche umbenennen',
  'All diamonds': 'Alle Diamanten',
  'All gemstones': 'Alle Edelsteine',
  'not known': 'nicht bekannt',
  'Earlier prices': 'Frühere Preise',
  '{price} until {date}': '{price} bis {date}',
  'then {percent} less': 'dann {percent} weniger',
  'then {percent} more': 'dann {percent} mehr',
  'Sold, held or with another price by now: {stones} of this list.':
    'Inzwischen verkauft, reserviert oder mit anderem Preis: {stones} dieser Liste.',
  'Show again': 'Neu anzeigen',
}
