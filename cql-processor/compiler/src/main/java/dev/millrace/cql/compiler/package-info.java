/**
 * Compiles physical plans: plan to Java text to one class a pipeline.
 *
 * <pre>
 *   PipelinePlan ──► PipelineGenerator ──► Java text ──► ClassMaker (Janino) ──► CompiledPipeline ──► Pipeline
 *                     one generator an operator,              │   own class loader,     one instance a worker
 *                     Kernel translates expressions           │   dies with the query
 *                                                        ClassStore: what was made of the same text before
 * </pre>
 *
 * <p>Who may call: the processor stage, on the deploying thread. Threads: the compiler and compiled pipelines are
 * safe for all threads; an instance belongs to one worker.
 */
package dev.millrace.cql.compiler;
