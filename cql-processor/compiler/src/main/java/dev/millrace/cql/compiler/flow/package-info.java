/**
 * Compiles flows: cuts them at their patterns, lets {@code compiler.unit} make units of what lies between, and puts
 * engines together.
 *
 * <pre>
 *   FlowPlan ──► PatternCuts ──► UnitCompiler: units by level ─┐
 *                    └──► FlowPatterns: patterns ──────────────┴──► CompiledFlow ──► EngineAssembler ──► FlowEngine
 * </pre>
 *
 * <p>Where a unit cannot have all of a flow, because a row has too many columns or expressions are too long, what is
 * left runs in an operator a node, with a class for its conditions and expressions ({@code CalcGenerator}, {@code
 * FlowAssembler}).
 *
 * <p>Who may call: the processor and the testkit, through {@code FlowCompiler}. Threads: the compiler is safe for all;
 * an engine belongs to one thread at a time.
 */
package dev.millrace.cql.compiler.flow;
