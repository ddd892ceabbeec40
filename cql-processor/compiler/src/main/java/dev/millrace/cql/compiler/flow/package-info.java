/**
 * Compiles flows: splits them at their patterns, compiles the parts between to units with {@code compiler.unit}, and
 * assembles engines.
 *
 * <pre>
 *   FlowPlan ──► PatternSplitter ──► UnitCompiler: units by level ─┐
 *                    └──► FlowPatterns: patterns ──────────────┴──► CompiledFlow ──► EngineAssembler ──► FlowEngine
 * </pre>
 *
 * <p>When rows are partitioned by a computed value, a separate class computes it ({@code RoutingHashGenerator}).
 *
 * <p>Callers: the processor and the testkit, through {@code FlowCompiler}. Threads: the compiler is thread-safe; an
 * engine is used by one thread at a time.
 */
package dev.millrace.cql.compiler.flow;
