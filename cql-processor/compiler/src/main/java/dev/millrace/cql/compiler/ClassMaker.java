package dev.millrace.cql.compiler;

/**
 * Turns Java text into a class. Implementations are safe for all threads.
 *
 * <p>The text keeps to the common subset of all compilers (Java 6 style), so that they can be exchanged.
 */
@FunctionalInterface
public interface ClassMaker
{
    /**
     * Makes a class in a class loader of its own, which dies with it.
     *
     * @param className full name of the class in the text
     * @param javaText  one compilation unit
     * @param parent    loader that knows the platform's classes
     * @return the class
     * @throws IllegalStateException when the text does not compile: a bug of the generator, never of a rule
     */
    Class<?> make(String className, String javaText, ClassLoader parent);
}
