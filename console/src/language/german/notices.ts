/** The texts of notices, which are in src/notices/texts/. */
export const NOTICES = {
  piece: 'Stück',
  pieces: 'Stück',
  '{name} ({pieces})': '{name} ({pieces})',
  'SKU {sku}': 'SKU {sku}',
  'price {amount}': 'Preis {amount}',
  'offered {amount}': 'vorgeschlagen {amount}',
  '{amount} each': '{amount} je Stück',
  'order {number}': 'Bestellung {number}',
  'memo {number}': 'Kommission {number}',
  'Reason: {reason}.': 'Grund: {reason}.',
  // Orders.
  '{order} was placed': '{order} ist eingegangen',
  'We received {order}: {goods}, {total}.': 'Wir haben {order} erhalten: {goods}, {total}.',
  'It is due back on {day}.': 'Die Rückgabe ist am {day} fällig.',
  'Its suppliers have to confirm it; you will hear from us when they do.':
    'Die Lieferanten müssen noch bestätigen; Sie hören dann von uns.',
  '{merchant} placed {order}': '{merchant} hat {order} aufgegeben',
  '{merchant} placed {order}: {goods}, {total}.':
    '{merchant} hat {order} aufgegeben: {goods}, {total}.',
  'New order: {lines} to confirm': 'Neue Bestellung: {lines} zu bestätigen',
  'New order: {lines} sold': 'Neue Bestellung: {lines} verkauft',
  'The order of {time} has {lines} of yours.':
    'Die Bestellung vom {time} enthält {lines} von Ihnen.',
  'Please confirm or decline them.': 'Bitte bestätigen Sie oder lehnen Sie ab.',
  'You need not confirm them.': 'Sie brauchen nichts zu bestätigen.',
  '{order}: {goods} confirmed': '{order}: {goods} bestätigt',
  '{goods} of {order} will be delivered as ordered.':
    'Wie bestellt geliefert: {goods} aus {order}.',
  '{order}: {goods} declined': '{order}: {goods} abgelehnt',
  '{goods} of {order} cannot be delivered and cost you nothing.':
    'Nicht lieferbar und nicht berechnet: {goods} aus {order}.',
  'The order shows similar stones that are available.':
    'Die Bestellung zeigt ähnliche Steine, die verfügbar sind.',
  '{merchant}, {order}: {goods} declined': '{merchant}, {order}: {goods} abgelehnt',
  '{goods} of {order} by {merchant} cannot be delivered.':
    'Nicht lieferbar: {goods} aus {order} von {merchant}.',
  'Supplier: {suppliers}.': 'Lieferant: {suppliers}.',
  '{order}: {goods} shipped': '{order}: {goods} versandt',
  '{goods} of {order} is on the way.': '{goods} aus {order} ist unterwegs.',
  '{goods} of {order} are on the way.': '{goods} aus {order} sind unterwegs.',
  '{goods} of {order} is on the way with {company}.':
    '{goods} aus {order} ist mit {company} unterwegs.',
  '{goods} of {order} are on the way with {company}.':
    '{goods} aus {order} sind mit {company} unterwegs.',
  'Tracking number: {number}.': 'Sendungsnummer: {number}.',
  '{order}: {goods} cancelled': '{order}: {goods} storniert',
  '{merchant}, {order}: {goods} cancelled': '{merchant}, {order}: {goods} storniert',
  '{goods} of {order} was cancelled.': '{goods} aus {order} wurde storniert.',
  '{goods} of {order} were cancelled.': '{goods} aus {order} wurden storniert.',
  '{goods} of {order} was cancelled by the merchant.':
    '{goods} aus {order} wurde vom Händler storniert.',
  '{goods} of {order} were cancelled by the merchant.':
    '{goods} aus {order} wurden vom Händler storniert.',
  'Order cancelled: {lines}': 'Bestellung storniert: {lines}',
  'These units of the order of {time} were cancelled. Please do not ship them.':
    'Diese Stücke der Bestellung vom {time} wurden storniert. Bitte versenden Sie sie nicht.',
  // Returns and memos.
  '{merchant} asks for a return of {order}': '{merchant} bittet um Rückgabe: {order}',
  '{merchant} wants to return {lines}.': '{merchant} möchte {lines} zurückgeben.',
  'Please approve or reject it.': 'Bitte genehmigen Sie oder lehnen Sie ab.',
  'Return for {order} was requested': 'Rückgabe zu {order} angefragt',
  'The return of {lines} of {order} was requested.':
    'Die Rückgabe von {lines} aus {order} ist angefragt.',
  'We will tell you whether to send them.': 'Wir sagen Ihnen, ob Sie die Ware senden können.',
  'Return for {order} was approved': 'Rückgabe zu {order} genehmigt',
  'The return of {lines} of {order} was approved.':
    'Die Rückgabe von {lines} aus {order} ist genehmigt.',
  'Please send the goods back.': 'Bitte senden Sie die Ware zurück.',
  'Return for {order} was rejected': 'Rückgabe zu {order} abgelehnt',
  'The return of {lines} of {order} was rejected.':
    'Die Rückgabe von {lines} aus {order} ist abgelehnt.',
  'Return for {order} was received': 'Rückgabe zu {order} eingetroffen',
  'The return of {lines} of {order} was received.':
    'Die Rückgabe von {lines} aus {order} ist eingetroffen.',
  'Their value was credited to your account.': 'Der Wert ist Ihrem Konto gutgeschrieben.',
  '{memo} is due on {day}': '{memo} ist am {day} fällig',
  '{memo} is due back on {day}.': '{memo} ist am {day} zurückzugeben.',
  '{memo} is overdue': '{memo} ist überfällig',
  '{memo} was due back on {day}.': '{memo} war am {day} zurückzugeben.',
  'Please return the goods, or ask for an invoice or more time.':
    'Bitte geben Sie die Ware zurück, oder bitten Sie um eine Rechnung oder mehr Zeit.',
  '{merchant}: {memo} is overdue': '{merchant}: {memo} ist überfällig',
  '{memo} of {merchant} was due back on {day}.':
    '{memo} von {merchant} war am {day} zurückzugeben.',
  // Quotes, holds, searches and watched stones.
  'A merchant': 'Ein Händler',
  '{merchant} offers a price': '{merchant} schlägt einen Preis vor',
  '{merchant} offers a price for {goods}.': '{merchant} schlägt einen Preis für {goods} vor.',
  'Please accept, counter or decline it before {time}.':
    'Bitte antworten Sie mit Zusage, Gegenangebot oder Absage bis {time}.',
  'Your offer was accepted': 'Ihr Preisvorschlag ist angenommen',
  'Your offer for {goods} was accepted.': 'Ihr Preisvorschlag für {goods} ist angenommen.',
  'Your offer was answered with other prices':
    'Ihr Preisvorschlag ist mit anderen Preisen beantwortet',
  'Your offer for {goods} was answered with other prices.':
    'Ihr Preisvorschlag für {goods} ist mit anderen Preisen beantwortet.',
  'Your offer was declined': 'Ihr Preisvorschlag ist abgelehnt',
  'Your offer for {goods} was declined.': 'Ihr Preisvorschlag für {goods} ist abgelehnt.',
  'You can order at these prices until {time}.':
    'Zu diesen Preisen können Sie bis {time} bestellen.',
  'Your hold on {sku} ends soon': 'Ihre Reservierung von {sku} endet bald',
  'Your hold ends on {time}. After that others can order the stone.':
    'Ihre Reservierung endet am {time}. Danach können andere den Stein bestellen.',
  '{stones} for your saved search': '{stones} für Ihre gespeicherte Suche',
  '{stones} for "{name}"': '{stones} für „{name}“',
  '{stones} matches your saved search now.': '{stones} passt jetzt zu Ihrer gespeicherten Suche.',
  '{stones} match your saved search now.': '{stones} passen jetzt zu Ihrer gespeicherten Suche.',
  '{stones} matches your saved search now: {name}.':
    '{stones} passt jetzt zu Ihrer gespeicherten Suche: {name}.',
  '{stones} match your saved search now: {name}.':
    '{stones} passen jetzt zu Ihrer gespeicherten Suche: {name}.',
  '{stones} of your watch list changed': '{stones} Ihrer Merkliste haben sich geändert',
  'Something happened to what you watch.': 'Bei Ihren gemerkten Steinen gibt es Neues.',
  '{sku} costs less now': '{sku} kostet jetzt weniger',
  '{sku} costs more now': '{sku} kostet jetzt mehr',
  '{sku} was sold': '{sku} ist verkauft',
  '{sku} is on sale again': '{sku} ist wieder zu haben',
  // Enquiries and feeds.
  'A visitor asks about {sku}': 'Ein Besucher fragt nach {sku}',
  "{name} asks on your shop's page about {sku}. Answer to {email}.":
    '{name} fragt auf der Seite Ihres Shops nach {sku}. Antwort an {email}.',
  'a supplier': 'einem Lieferanten',
  'Your feed fails': 'Ihre Bestandsdatei schlägt fehl',
  'Your feed works again': 'Ihre Bestandsdatei funktioniert wieder',
  'The feed of {supplier} fails': 'Die Bestandsdatei von {supplier} schlägt fehl',
  'The feed of {supplier} works again': 'Die Bestandsdatei von {supplier} funktioniert wieder',
  'The feed from {url} cannot be imported.':
    'Die Bestandsdatei von {url} lässt sich nicht importieren.',
  'The feed from {url} was fetched again.': 'Die Bestandsdatei von {url} wurde wieder abgerufen.',
  'It is tried again by itself, and you hear from us when it works.':
    'Sie wird von selbst wieder versucht; Sie hören von uns, wenn es klappt.',
}
