package dev.millrace.cql.compiler;

import java.util.Map;

/** Turns Java text into class files. Implementations are safe for all threads. */
@FunctionalInterface
interface TextCompiler
{
    /**
     * Compiles.
     *
     * @param className full name of the class in the text
     * @param javaText  one compilation unit
     * @param parent    loader of the classes that the text names
     * @return class files by full name of their class, that of the text and those inside it
     * @throws IllegalStateException when the text does not compile: a bug of the generator, never of a rule
     */
    Map<String, byte[]> compile(String className, String javaText, ClassLoader parent);
}
