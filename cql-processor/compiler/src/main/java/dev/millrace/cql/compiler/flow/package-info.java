/**
 * Compiles flows: generates one class a flow for its conditions and expressions, and puts the operators together.
 *
 * <pre>
 *   FlowPlan ──► CalcGenerator: Java text ──► Janino ──► Calc classes ─┐
 *           └──► FlowAssembler: an operator a node, regions by inputs ─┴──► CompiledFlow ──► FlowEngine
 * </pre>
 *
 * <p>Who may call: the processor and the testkit, through {@code FlowCompiler}. Threads: the compiler is safe for all;
 * an engine belongs to one thread at a time.
 */
package dev.millrace.cql.compiler.flow;
