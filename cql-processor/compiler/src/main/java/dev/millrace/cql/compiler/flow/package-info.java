/**
 * Compiles flows: cuts them at their patterns, lets {@code compiler.unit} make units of what lies between, and puts
 * engines together.
 *
 * <pre>
 *   FlowPlan ──► PatternCuts ──► UnitCompiler: units by level ─┐
 *                    └──► FlowPatterns: patterns ──────────────┴──► CompiledFlow ──► EngineAssembler ──► FlowEngine
 * </pre>
 *
 * <p>A value that rows are shared out by and that is computed has a class of its own ({@code RouteGenerator}).
 *
 * <p>Who may call: the processor and the testkit, through {@code FlowCompiler}. Threads: the compiler is safe for all;
 * an engine belongs to one thread at a time.
 */
package dev.millrace.cql.compiler.flow;
