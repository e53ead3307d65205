/** The settings of a merchant, and the users of every side. */
export const SETTINGS = {
  'verb: Add': 'Hinzufügen',
  // Margins
  'Your tiers': 'Ihre Stufen',
  'Please correct the marked fields: each is a number of at least 0.':
    'Bitte korrigieren Sie die markierten Felder: jedes ist eine Zahl von mindestens 0.',
  'Default tiers': 'Standardstufen',
  'Discard changes': 'Änderungen verwerfen',
  'Before and after': 'Vorher und nachher',
  'Restore the default tiers?': 'Die Standardstufen wiederherstellen?',
  'Your own tiers are deleted, and your retail prices change at once.':
    'Ihre eigenen Stufen werden gelöscht, und Ihre Verkaufspreise ändern sich sofort.',
  Restore: 'Wiederherstellen',
  'Your new margins are now in effect.': 'Ihre neuen Margen gelten ab sofort.',
  'Tiers based on': 'Stufen nach',
  'Weight in carats': 'Gewicht in Karat',
  'Wholesale price in US dollars': 'Einkaufspreis in US-Dollar',
  'These tiers are new: carats and dollars cannot be converted into each other.':
    'Diese Stufen sind neu: Karat und Dollar lassen sich nicht ineinander umrechnen.',
  'Check them before you save; your tiers by weight are then replaced.':
    'Prüfen Sie sie vor dem Speichern; Ihre Stufen nach Gewicht werden dann ersetzt.',
  'Check them before you save; your tiers by price are then replaced.':
    'Prüfen Sie sie vor dem Speichern; Ihre Stufen nach Preis werden dann ersetzt.',
  'Change a tier to see its effect on your prices.':
    'Ändern Sie eine Stufe, um die Wirkung auf Ihre Preise zu sehen.',
  'Higher price': 'Höherer Preis',
  'Lower price': 'Niedrigerer Preis',
  'Median change': 'Mittlere Änderung (Median)',
  'Stones compared': 'Verglichene Steine',
  Tiers: 'Stufen',
  'Mined %': 'Natürlich %',
  'Lab grown %': 'Labor %',
  '{field}, tier {n}': '{field}, Stufe {n}',
  'tier {n}': 'Stufe {n}',
  'Add tier': 'Stufe hinzufügen',
  'Margins of mined and lab grown stones before and after the change':
    'Margen natürlicher und im Labor gezüchteter Steine vor und nach der Änderung',
  'Wholesale price (USD)': 'Einkaufspreis (USD)',
  'Margin %': 'Marge %',
  'mined, before': 'natürlich, vorher',
  'lab grown, before': 'im Labor gezüchtet, vorher',
  // Templates
  'Remove the template {label}?': 'Die Vorlage {label} entfernen?',
  'Curated searches of {group} no longer look for a stone of this grade.':
    'Kuratierte Suchen der Gruppe {group} wählen dann keinen Stein dieser Güte mehr.',
  Group: 'Gruppe',
  Label: 'Bezeichnung',
  Make: 'Ausführung',
  '{grade} or better': '{grade} oder besser',
  Predefined: 'Vorgegeben',
  'Template {label} has been added.': 'Die Vorlage {label} ist hinzugefügt.',
  'Add template': 'Vorlage hinzufügen',
  'Minimum color': 'Mindestens Farbe',
  'Minimum clarity': 'Mindestens Reinheit',
  // Addresses
  'Remove the address {name}?': 'Die Adresse {name} entfernen?',
  'The oldest other address becomes the default. Orders that have it keep it.':
    'Die älteste andere Adresse wird zum Standard. Bestellungen mit dieser Adresse behalten sie.',
  'Orders that have it keep it.': 'Bestellungen mit dieser Adresse behalten sie.',
  'Edit address': 'Adresse bearbeiten',
  Edit: 'Bearbeiten',
  // Keys
  'Does not expire': 'Läuft nicht ab',
  'One year': 'Ein Jahr',
  'Programs, which keep it secret': 'Programmen, die ihn geheim halten',
  'Web pages of your shop, at retail prices': 'Webseiten Ihres Shops, zu Verkaufspreisen',
  'Create a key': 'Schlüssel erstellen',
  'Used by': 'Benutzt von',
  'Expires after': 'Läuft ab nach',
  'Origin of the pages': 'Ursprung (Origin) der Seiten',
  Scopes: 'Berechtigungen',
  'Copy this into the page of your shop. It shows the market at your retail prices.':
    'Kopieren Sie dies in die Seite Ihres Shops. Es zeigt den Markt zu Ihren Verkaufspreisen.',
  'Revoke the key {name}?': 'Den Schlüssel {name} widerrufen?',
  'The key {name} has been revoked.': 'Der Schlüssel {name} ist widerrufen.',
  'No keys yet': 'Noch keine Schlüssel',
  'Ends with': 'Endet auf',
  'Origins, scopes': 'Ursprünge, Berechtigungen',
  Budget: 'Budget',
  Never: 'Nie',
  Revoked: 'Widerrufen',
  // Webhooks
  'Add webhook': 'Webhook hinzufügen',
  'No webhooks yet': 'Noch keine Webhooks',
  'Add a URL, and Pavilion will send it the events of your orders.':
    'Fügen Sie eine URL hinzu, und Pavilion sendet ihr die Ereignisse Ihrer Bestellungen.',
  'Signing secret': 'Geheimnis für Signaturen',
  'It signs every event sent to you. Copy it now; it will not be shown again.':
    'Es signiert jedes Ereignis an Sie. Kopieren Sie es jetzt; es wird nicht noch einmal gezeigt.',
  'Remove the webhook {url}?': 'Den Webhook {url} entfernen?',
  'No more events are sent to it. What was sent, and its log, are deleted.':
    'Er erhält keine Ereignisse mehr. Das Gesendete und sein Protokoll werden gelöscht.',
  'Create a new signing secret?': 'Ein neues Geheimnis für Signaturen erstellen?',
  'For 24 hours events are signed with the previous secret, too; then only with the new.':
    '24 Stunden lang gilt daneben noch das bisherige Geheimnis; danach nur noch das neue.',
  Create: 'Erstellen',
  'Turn on': 'Einschalten',
  'Turn off': 'Ausschalten',
  'Rotate secret': 'Geheimnis erneuern',
  'All events': 'Alle Ereignisse',
  URL: 'URL',
  Description: 'Beschreibung',
  Delivered: 'Zugestellt',
  'Not delivered': 'Nicht zugestellt',
  'Being delivered': 'In Zustellung',
  'The event will be sent again.': 'Das Ereignis wird noch einmal gesendet.',
  'Nothing has been sent yet.': 'Noch wurde nichts gesendet.',
  'Deliveries to {url}': 'Zustellungen an {url}',
  'The last {shown} of {total} are shown.': 'Gezeigt werden die letzten {shown} von {total}.',
  'Send again': 'Noch einmal senden',
  'Send again: {event}': 'Noch einmal senden: {event}',
  'It is about to be sent.': 'Wird gleich gesendet.',
  'After {attempts}: {answer}': 'Nach {attempts}: {answer}',
  '{answer} The next attempt is due {when}.': '{answer} Der nächste Versuch ist {when} fällig.',
  '{answer} After {attempts} no more are made.': '{answer} Nach {attempts} folgt keiner mehr.',
  'The receiver did not answer: {error}.': 'Der Empfänger hat nicht geantwortet: {error}.',
  'The receiver accepted it with status {status} in {ms} ms.':
    'Der Empfänger hat es mit Status {status} in {ms} ms angenommen.',
  'The receiver wants no more events (status 410), so the webhook is off.':
    'Der Empfänger will keine Ereignisse mehr (Status 410), darum ist der Webhook aus.',
  'The receiver refused it with status {status} in {ms} ms.':
    'Der Empfänger hat es mit Status {status} in {ms} ms abgelehnt.',
  'All attempts': 'Alle Versuche',
  attempt: 'Versuch',
  attempts: 'Versuchen',
  'Lines declined by the supplier': 'Positionen vom Lieferanten abgelehnt',
  'Offered price accepted': 'Preisvorschlag angenommen',
  'Offered price declined': 'Preisvorschlag abgelehnt',
  'Other price offered': 'Anderer Preis angeboten',
  'Saved search found something': 'Gespeicherte Suche hat etwas gefunden',
  'Question of a visitor': 'Frage eines Besuchers',
  // Users
  'Your password is set. Your other sessions have ended.':
    'Ihr Passwort ist gesetzt. Ihre anderen Sitzungen sind beendet.',
  'Your password': 'Ihr Passwort',
  'New password, at least 12 characters': 'Neues Passwort, mindestens 12 Zeichen',
  'Password so far, unless you signed in with a link':
    'Bisheriges Passwort, außer nach Anmeldung mit einem Link',
  'Set password': 'Passwort setzen',
  Buyer: 'Einkauf',
  Administrator: 'Administrator',
  Sales: 'Verkauf',
}
