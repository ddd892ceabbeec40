/**
 * How processors plug into the network: implemented by the CQL processor, called by the network.
 *
 * <pre>
 *   ProcessorProvider.plan(rules)  ──► PlannedProcessor: inputs, outputs
 *   PlannedProcessor.start(wiring) ──► RunningProcessor: one input sink a (channel, source thread)
 * </pre>
 *
 * <p>{@link dev.millrace.network.spi.OutputPermit} comes from the cluster and is asked by the network, and so does
 * {@link dev.millrace.network.spi.PartitionedChannels}, through which a channel shares its rows out among members.
 *
 * <p>Threads: planning and starting happen on the deploying thread; inputs are called by source threads.
 */
@Export
@Version("1.1.0")
package dev.millrace.network.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
