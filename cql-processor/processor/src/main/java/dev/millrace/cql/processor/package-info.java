/**
 * The stage that runs compiled plans in a network: plans the rules of a CQL processor, compiles each pipeline once and
 * runs it on the sender's thread or on workers.
 *
 * <pre>
 *   one worker, one source thread:   source ──► PipelineInstance ──► output sink            (no hand-over)
 *
 *   one worker, several sources:
 *                source 1 ──► PipelineInstance, in turn (CallerRunsWorker); ring 1 while another thread runs it
 *                source 2 ──► the same;                               ring 2
 *
 *   several workers:
 *                source 1 ──► ChannelInput ──► ring (1,1) ──► Worker 1 ──► PipelineInstance ──► output sink
 *                                        └───► ring (1,2) ──► Worker 2 ──► PipelineInstance ──► output sink
 *                source 2 ──► ChannelInput ──► ring (2,1) ──► Worker 1
 *                                        └───► ring (2,2) ──► Worker 2
 *                without the ring, on the thread of the source, if it takes less than a wake-up (BatchDurationEstimate)
 *
 *   flows, which process the changes of instants, have a FlowInlet per channel; partitioned by a value they have one
 *   engine per worker, with rings:
 *                source ──► FlowInlet ──────────────────────────────► FlowEngine ──► output sinks of its query
 *                      └──► FlowRouter ──► ring ──► Worker ──► FlowEngine ──► output sinks of its query
 *   or, if the result needs rows of all engines (MergePhase), on one of the workers:
 *                                   FlowEngine ──► ring ──► Worker ──► FlowEngine ──► output sinks of its query
 *
 *   rules that change while events flow: RuleReplacement plans what a change affects (PlannedRules), keeps
 *   equal queries, replaces the others
 *
 *   cache ──(any thread)──► RelationFeed ──► RelationReplica of each instance, applied before its next batch
 *         └────────────────► CacheFeed ─────► LookupRows of a lookup operator of a flow
 * </pre>
 *
 * <p>Callers: the network through {@code dev.millrace.network.spi}; this package exports nothing. Threads: planning and
 * starting on the deploying thread, {@link dev.millrace.cql.processor.worker.ChannelInput} on its source thread, each
 * pipeline instance and its replicas of relations on one thread only, so that state needs no locks.
 */
package dev.millrace.cql.processor;
