package dev.millrace.cql.language;

/** Finds the Java classes that rules call into (the Java cartridge). Safe for all threads. */
@FunctionalInterface
public interface JavaClasses
{
    /** Knows no class at all. */
    JavaClasses NONE = name -> null;

    /**
     * Finds a class without initialising it.
     *
     * @param name fully qualified name, or the simple name of a class of {@code java.lang} or of the unnamed package;
     *             nested classes with {@code $}
     * @return the class, or {@code null} when there is none or the class-space policy hides it
     */
    Class<?> find(String name);
}
