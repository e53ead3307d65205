/** Why rows of a file were rejected and how its columns were understood; see reason-text.tsx. */
export const REASONS = {
  'reason: the name says it': 'der Name sagt es',
  'reason: Row {row} already has this stock number': 'Zeile {row} hat diese Lagernummer schon',
  'reason: Row {row} takes this stone off the market': 'Zeile {row} nimmt diesen Stein vom Markt',
  'reason: The price is about {times} times higher than for similar stones':
    'Der Preis ist etwa das {times}-Fache dessen ähnlicher Steine',
  'reason: The price is about {times} times lower than for similar stones':
    'Ähnliche Steine kosten etwa das {times}-Fache',
  'reason: {share}, and the row was dismissed': '{share}; die Zeile wurde verworfen',
  'reason: The fancy color contradicts the color {value}':
    'Die Fancyfarbe widerspricht der Farbe {value}',
  'reason: A fancy color contradicts the color {value}':
    'Eine Fancyfarbe widerspricht der Farbe {value}',
  'reason: This looks lab grown, but {value}': 'Das sieht nach Laborzucht aus, aber {value}',
  'reason: The total price contradicts the price per carat of {value}':
    'Der Gesamtpreis widerspricht dem Karatpreis von {value}',
  'reason: There is no exchange rate for {value}': 'Für {value} gibt es keinen Kurs',
  'reason: The price is in {value}, the column says {other}':
    'Der Preis ist in {value}, die Spalte sagt {other}',
  'reason: The price is in dollars, but its currency is {value}':
    'Der Preis ist in Dollar, die Währung aber {value}',
  'reason: The measurements are impossible for {value} carats':
    'Diese Maße sind bei {value} Karat unmöglich',
  'reason: The row has {cells} cells, others have {usual}, and its values do not fit':
    'Die Zeile hat {cells} Zellen, andere {usual}, und ihre Werte passen nicht',
  'reason: The shape may be {value}': 'Die Form ist nicht eindeutig: {value}',
  'reason: The code {code} means {word}, which the measurements contradict':
    'Der Code {code} heißt {word}, dem widersprechen die Maße',
  'reason: The code may mean {word} or {word2}, and the measurements do not tell which':
    'Der Code kann {word} oder {word2} heißen, und die Maße entscheiden es nicht',
  'reason: The code may mean {word} or {word2}, and there are no measurements':
    'Der Code kann {word} oder {word2} heißen, und Maße fehlen',
  'reason: {value} is not sold here': '{value} wird hier nicht verkauft',
  'reason: The {field} is missing': '{field} fehlt',
  'reason: The {field} has more than {value} characters': '{field} hat mehr als {value} Zeichen',
  'reason: The row is of type {value}, which is not a piece to sell':
    'Die Zeile ist vom Typ {value} und kein Stück zum Verkauf',
  'reason: every stone has {value}, as the mapping says':
    'jeder Stein hat {value}, so sagt es die Zuordnung',
  'reason: the name means {field}; the column first appears after the sampled rows':
    'der Name heißt {field}; die Spalte kommt erst hinter den geprüften Zeilen vor',
  'reason: the name means {field}, but only {share} fit':
    'der Name heißt {field}, aber nur {share} passen',
  'reason: the name means {field}; the column is empty':
    'der Name heißt {field}; die Spalte ist leer',
  'reason: the name means {field}, and {share} fit': 'der Name heißt {field}, und {share} passen',
  'reason: the name is unknown, but the values look like {field}':
    'der Name ist unbekannt, aber die Werte sehen aus wie {field}',
  'reason: less the discount it is the price of the whole stone in {value} of {other} rows':
    'abzüglich des Abschlags ist es in {value} von {other} Zeilen der Preis des ganzen Steins',
  'reason: the names are swapped: proved by {share}': 'die Namen sind vertauscht: {share}',
  'reason: proved by {share}': 'bewiesen: {share}',
  'reason: does not agree with {value}, which is used as the price':
    'passt nicht zu {value}, das als Preis dient',
  'reason: a price per carat x weight agrees in {value} of {other} rows':
    'Karatpreis × Gewicht stimmt in {value} von {other} Zeilen',
  'reason: price x weight agrees in {value} of {other} rows':
    'Preis × Gewicht stimmt in {value} von {other} Zeilen',
  'reason: a price per carat x weight agrees in {value} of {other} rows with {column}':
    'Karatpreis × Gewicht stimmt in {value} von {other} Zeilen mit {column} überein',
  'reason: price x weight agrees in {value} of {other} rows with {column}':
    'Preis × Gewicht stimmt in {value} von {other} Zeilen mit {column} überein',
  'reason: the name means {word}, but {share}': 'der Name heißt {word}, aber {share}',
  'reason: the prices of {value} stones grow with weight to the power of {other}':
    'die Preise von {value} Steinen wachsen mit dem Gewicht hoch {other}',
  'reason: {share}, and they are lab grown': '{share}; sie sind im Labor gezüchtet',
  'reason: {share}, at the level of mined stones': '{share}, wie bei natürlichen',
  'reason: the names are swapped: the sides give this depth in {value} of {other} rows':
    'die Namen sind vertauscht: in {value} von {other} Zeilen folgt diese Tiefe aus den Maßen',
  'reason: {value} of {other} values': '{value} von {other} Werten',
  'reason: {value}% of the values': '{value} % der Werte',
  'reason: The color is missing': 'Die Farbe fehlt',
  'reason: The color is a group of grades, not one': 'Die Farbe ist eine Gruppe von Stufen',
  'reason: The color is not a known grade': 'Die Farbe ist keine bekannte Stufe',
  'reason: The hue of the fancy color may be grey or greenish yellow':
    'Der Ton der Fancyfarbe kann Grau oder grünliches Gelb sein',
  'reason: The hue of the fancy color may be blue, brown or black':
    'Die Fancyfarbe kann blau, braun oder schwarz sein',
  'reason: The hue of the fancy color is not known': 'Der Ton der Fancyfarbe ist unbekannt',
  'reason: The clarity is missing': 'Die Reinheit fehlt',
  'reason: The clarity is not a known grade': 'Die Reinheit ist keine bekannte Stufe',
  'reason: The supplier is set to mined stones, but this says that it is lab grown':
    'Der Lieferant führt natürliche Steine, dieser ist im Labor gezüchtet',
  'reason: The number of stones is too large': 'Die Zahl der Steine ist zu groß',
  'reason: The number of stones of the parcel is missing': 'Die Zahl der Steine der Partie fehlt',
  'reason: Two certificates for several stones': 'Zwei Zertifikate für mehrere Steine',
  'reason: Two certificates: one stone or a pair is not said':
    'Zwei Zertifikate: unklar, ob ein Stein oder ein Paar',
  'reason: A pair needs the certificates of both stones, or none':
    'Ein Paar braucht die Zertifikate beider Steine oder keines',
  'reason: Two stones: a pair or a parcel is not said': 'Zwei Steine: unklar, ob Paar oder Partie',
  'reason: The weight is too small for the number of stones':
    'Das Gewicht ist zu klein für die Zahl der Steine',
  'reason: The weight is missing': 'Das Gewicht fehlt',
  'reason: The weight is not a number above zero': 'Das Gewicht ist keine Zahl über null',
  'reason: The weight is impossible': 'Das Gewicht ist unmöglich',
  'reason: The weight is too small': 'Das Gewicht ist zu klein',
  'reason: The stone is not on offer': 'Der Stein wird nicht angeboten',
  'reason: The availability is not known': 'Die Verfügbarkeit ist unbekannt',
  'reason: The price is out of range': 'Der Preis ist außerhalb des Möglichen',
  'reason: The price is on request: the file says 0': 'Preis auf Anfrage: die Datei sagt 0',
  'reason: The discount may be below or above the list price':
    'Unklar, ob der Abschlag unter oder über dem Listenpreis liegt',
  'reason: The percentage may be a discount from the list price or a share of it':
    'Unklar, ob der Prozentsatz ein Abschlag vom Listenpreis ist oder ein Anteil davon',
  'reason: The price is missing': 'Der Preis fehlt',
  'reason: The price is not a number above zero': 'Der Preis ist keine Zahl über null',
  'reason: The currency is not known': 'Die Währung ist unbekannt',
  'reason: The diamonds are treated, and parcels are sold untreated only':
    'Die Diamanten sind behandelt; Partien werden nur unbehandelt verkauft',
  'reason: The stock number is missing': 'Die Lagernummer fehlt',
  'reason: The stock number is too long': 'Die Lagernummer ist zu lang',
  'reason: The stock number was damaged by a spreadsheet':
    'Die Lagernummer wurde von einer Tabellenkalkulation beschädigt',
  'reason: This is a line of totals': 'Das ist eine Summenzeile',
  'reason: This is the example of a template': 'Das ist das Beispiel einer Vorlage',
  'reason: The point of the price may group thousands': 'Der Punkt im Preis kann Tausender trennen',
  'reason: The jewelry type is a number': 'Die Schmuckart ist eine Zahl',
  'reason: The size of the stones is missing': 'Die Größe der Steine fehlt',
  'reason: A parcel of gemstones cannot be sold':
    'Eine Partie Edelsteine lässt sich nicht verkaufen',
  'reason: The shape is missing': 'Die Form fehlt',
  'reason: The shape is not known': 'Die Form ist unbekannt',
  'reason: The entry is not a JSON object': 'Der Eintrag ist kein JSON-Objekt',
  'reason: A gift card is not a piece of jewelry': 'Ein Gutschein ist kein Schmuckstück',
  'reason: The quantity is not a whole number': 'Die Menge ist keine ganze Zahl',
  'reason: no field has this name': 'kein Feld hat diesen Namen',
  'reason: it numbers the rows, not the stones': 'sie zählt die Zeilen, nicht die Steine',
  'reason: the market makes this field, and no feed fills it':
    'der Markt bildet dieses Feld, keine Datei füllt es',
  'reason: it can say that a row is a parcel': 'sie kann eine Zeile als Partie ausweisen',
  'reason: it can take a stone off the market': 'sie kann einen Stein vom Markt nehmen',
  'reason: the name means {field}, which {column} already is':
    'der Name heißt {field}; das ist schon {column}',
  'reason: is the currency of {column}, which is not used':
    'ist die Währung von {column}, das nicht verwendet wird',
  'reason: no unused field has this name': 'kein freies Feld hat diesen Namen',
  'reason: chosen by the operator': 'vom Betreiber gewählt',
  'reason: chosen by the operator, by its position': 'vom Betreiber nach der Position gewählt',
  'reason: ignored by the operator': 'vom Betreiber übergangen',
  'reason: not used, as the mapping says': 'nicht verwendet, so sagt es die Zuordnung',
  "reason: as in the supplier's last file": 'wie in der letzten Datei des Lieferanten',
  'reason: the operator said so': 'vom Betreiber angegeben',
  'reason: the name fits both meanings': 'der Name passt zu beiden Bedeutungen',
  'reason: its numbers may be below or above the list price, so no price is computed from them':
    'unklar, ob unter oder über dem Listenpreis; daraus wird kein Preis berechnet',
  'reason: its numbers may be discounts or shares of the list, so no price is computed from them':
    'unklar, ob Abschläge oder Anteile vom Listenpreis; daraus wird kein Preis berechnet',
  'reason: its numbers may be percentages or fractions, so no price is computed from them':
    'unklar, ob Prozente oder Bruchteile; daraus wird kein Preis berechnet',
}
