/**
 * The interface between the network and its processors: implemented by the CQL processor, called by the network.
 *
 * <pre>
 *   ProcessorProvider.plan(rules)  ──► PlannedProcessor: inputs, outputs
 *   PlannedProcessor.start(wiring) ──► RunningProcessor: one input sink per (channel, source thread)
 * </pre>
 *
 * <p>The cluster provides {@link dev.millrace.network.spi.OutputPermit} and
 * {@link dev.millrace.network.spi.PartitionedChannels}, through which a channel partitions its rows across members; the
 * network calls both.
 *
 * <p>Threads: planning and starting happen on the deploying thread; inputs are called by source threads.
 */
@Export
@Version("1.1.0")
package dev.millrace.network.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
