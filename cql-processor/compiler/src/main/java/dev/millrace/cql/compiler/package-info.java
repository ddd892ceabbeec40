/**
 * Compiles physical plans: each pipeline becomes Java source text and then one class.
 *
 * <pre>
 *   PipelinePlan ──► PipelineGenerator ──► Java text ──► ClassCompiler (Janino) ──► CompiledPipeline ──► Pipeline
 *                     one generator per operator,              │   own class loader,     one instance per worker
 *                     Kernel translates expressions           │   unloaded with its last query
 *                                              SharingClassCompiler: one class for equal sources
 *                                                        ClassCache: earlier results for the same text
 * </pre>
 *
 * <p>Callers: the processor stage, on the deploying thread. Threads: the compiler and compiled pipelines are
 * thread-safe; an instance is confined to one worker.
 */
package dev.millrace.cql.compiler;
