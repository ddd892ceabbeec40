/**
 * The stage that puts compiled plans into a network: plans the rules of a CQL processor, compiles each pipeline once
 * and runs it on the sender's thread or on workers.
 *
 * <pre>
 *   one worker, one source thread:   source ──► PipelineInstance ──► output sink            (no hand-over)
 *
 *   one worker, several sources:
 *                source 1 ──► PipelineInstance, in turns (TurnWorker); ring 1 while another one is at work
 *                source 2 ──► the same;                                ring 2
 *
 *   several workers:
 *                source 1 ──► ChannelInput ──► ring (1,1) ──► Worker 1 ──► PipelineInstance ──► output sink
 *                                        └───► ring (1,2) ──► Worker 2 ──► PipelineInstance ──► output sink
 *                source 2 ──► ChannelInput ──► ring (2,1) ──► Worker 1
 *                                        └───► ring (2,2) ──► Worker 2
 *                without the ring, on the thread of the source, what takes less than a wake-up (RunTime)
 *
 *   flows, which exchange changes of instants, stand behind a FlowInlet for each channel; split by a value they have an
 *   engine a worker, behind rings:
 *                source ──► FlowInlet ──────────────────────────────► FlowEngine ──► output sinks of its query
 *                      └──► FlowRingRoute ──► ring ──► Worker ──► FlowEngine ──► output sinks of its query
 *   or, where the result needs rows of all engines (MergeStep), on one of the workers:
 *                                   FlowEngine ──► ring ──► Worker ──► FlowEngine ──► output sinks of its query
 *
 *   rules that change while events flow: RuleExchange plans all anew, keeps what is equal, exchanges the rest
 *
 *   cache ──(any thread)──► RelationFeed ──► RelationCopy of each instance, taken in before its next batch
 *         └────────────────► CacheFeed ─────► PulledRows of an operator of a flow, likewise
 * </pre>
 *
 * <p>Who may call: the network through {@code dev.millrace.network.spi}; this package exports nothing. Threads:
 * planning and starting on the deploying thread, {@link dev.millrace.cql.processor.ChannelInput} on its source
 * thread, a pipeline instance and its relation copies on one thread only, so that no state needs a lock.
 */
package dev.millrace.cql.processor;
