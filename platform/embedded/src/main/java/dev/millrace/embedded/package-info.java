/**
 * Event processing networks in any Java process, without OSGi and Spring.
 *
 * <pre>
 *  MillraceBuilder ─► RowTypeText           "symbol char(8), price double" as an event type
 *     │          └──► EmbeddedNetwork ─► Network (platform/network) with CQL processor
 *     ▼
 *  Millrace ─► InputStage (objects), BatchInputStage (columns)
 * </pre>
 *
 * <p>Callers: applications. Threads: see each type.
 */
package dev.millrace.embedded;
