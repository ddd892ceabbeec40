/**
 * The source of generated events: provider {@code generator}.
 *
 * <pre>
 *   columns="price = walk(...)" ─► ColumnSpecParser ─► ColumnGenerators ─► a ColumnGenerator per column
 *   GeneratorAdapter: EventSchedule (which events are due) ─► columns fill a batch ─► channel
 * </pre>
 *
 * <p>Callers: applications, by the provider that the module's {@code Activator} registers. Threads: everything after
 * deployment is confined to the thread that calls {@code run}.
 */
package dev.millrace.adapter.loadgen.generator;
