/**
 * Converts a definition to stages that can be wired: checks, order, types. Internal to the network.
 *
 * <pre>
 *   NetworkDefinition ─► NetworkCheck ─► Topology ─► plans of processors ─► TypePropagation
 *                                                                               └─► StageRuntime each stage
 * </pre>
 *
 * <p>Callers: {@link dev.millrace.network.Network}. Threads: the deploying thread only.
 */
package dev.millrace.network.build;
