package dev.millrace.cql.compiler.emit;

/** Import declarations of generated source text, written from classes, so that they follow a class that moves. */
public final class ImportDeclarations
{
    private ImportDeclarations()
    {
    }

    /** Imports each class. */
    public static String of(final Class<?>... classes)
    {
        final StringBuilder text = new StringBuilder();
        for (final Class<?> each : classes)
        {
            text.append("import ").append(each.getCanonicalName()).append(";\n");
        }
        return text.toString();
    }

    /** Imports all classes of the package of each class. */
    public static String ofPackages(final Class<?>... classes)
    {
        final StringBuilder text = new StringBuilder();
        for (final Class<?> each : classes)
        {
            text.append("import ").append(each.getPackageName()).append(".*;\n");
        }
        return text.toString();
    }
}
