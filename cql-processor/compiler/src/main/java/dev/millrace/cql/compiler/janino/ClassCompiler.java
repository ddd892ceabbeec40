package dev.millrace.cql.compiler.janino;

/**
 * Compiles Java source text to a class. Implementations are thread-safe.
 *
 * <p>The source text uses only the common subset of all compilers (Java 6 style), so that compilers can be exchanged.
 */
@FunctionalInterface
public interface ClassCompiler
{
    /**
     * Defines a class in a dedicated class loader, which is unloaded with it, or returns the class of an equal text.
     *
     * @param className full name of the class in the source text
     * @param javaText  one compilation unit, whose class has no static state
     * @param parent    class loader that finds the platform's classes
     * @throws IllegalStateException when the source text does not compile: a defect of the generator, never of a rule
     */
    Class<?> make(String className, String javaText, ClassLoader parent);
}
