/**
 * Connections to JMS providers: properties, permitted classes, secrets, sessions.
 *
 * <pre>
 *   ConnectionProperties ─► ConnectionSettings ─► Connector ─► JmsLink (connection and session)
 *                                                  │  ProviderClasses: finds classes in bundles
 *                                                  └─ AllowedNames: which classes and schemes are permitted
 * </pre>
 *
 * <p>Callers: the adapters of this module. Threads: see each type.
 */
package dev.millrace.adapter.jms.connect;
