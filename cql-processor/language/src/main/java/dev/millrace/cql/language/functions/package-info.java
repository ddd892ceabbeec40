/**
 * The catalogue of functions: which exist, with which types, and what is called for them.
 *
 * <p>The built-in ones stand in two text files beside these classes, one overload a line, with a sentence and an
 * example each; the reference page is made from them. The analysis of statements looks up calls here, the planner takes
 * what is called from the signature that was chosen. Threads: a catalogue is immutable.
 */
package dev.millrace.cql.language.functions;
