package dev.millrace.cql.compiler.janino;

import java.util.Map;

/** Compiles Java source text to class files. Implementations are thread-safe. */
@FunctionalInterface
interface SourceCompiler
{
    /**
     * Compiles source text.
     *
     * @param className full name of the class in the source text
     * @param javaText  one compilation unit
     * @param parent    class loader of the classes that the text refers to
     * @return class files by full name of their class: the class of the text and its nested classes
     * @throws IllegalStateException when the source text does not compile: a defect of the generator, never of a rule
     */
    Map<String, byte[]> compile(String className, String javaText, ClassLoader parent);
}
