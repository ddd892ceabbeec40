/**
 * What migrated applications of Oracle Event Processing receive in addition: services and event types, by setters with
 * {@link dev.millrace.api.oep.Service}.
 *
 * <pre>
 *   ServiceInjector ──► MigratedTypes ──► MigratedType ──► MigratedProperty
 * </pre>
 *
 * <p>Callers: the assembler. Threads: the deploying thread creates the objects; stages use the types on any thread.
 */
package dev.millrace.assembly.oep;
