/**
 * Event processing networks in any Java process, without OSGi and Spring.
 *
 * <pre>
 *  Millrace ─► MillraceBuilder ─► RowTypeText     "symbol char(8), price double" as an event type
 *                     │
 *                     ▼
 *              EmbeddedNetwork ─► InputStage (objects), BatchInputStage (columns)
 *                     └─────────► Network of platform/network, with a CQL processor
 * </pre>
 *
 * <p>Callers: applications. Threads: see each type.
 */
package dev.millrace.embedded;
