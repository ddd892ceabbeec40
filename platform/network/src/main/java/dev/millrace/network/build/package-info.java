/**
 * From a definition to stages that can be wired: checks, order, types. Internal to the network.
 *
 * <pre>
 *   NetworkDefinition ─► NetworkCheck ─► Topology ─► plans of processors ─► TypeFlow
 *                                                                               └─► StageRuntime each stage
 * </pre>
 *
 * <p>Who may call: {@link dev.millrace.network.Network}. Threads: the deploying thread alone.
 */
package dev.millrace.network.build;
