package dev.millrace.command.project;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import javax.lang.model.SourceVersion;

/**
 * Names of a new project.
 *
 * @param name        symbolic name of the bundle, name of the directory and of the files
 * @param javaPackage package of its classes
 */
record ProjectName(String name, String javaPackage)
{
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]*([._-][A-Za-z0-9]+)*");
    /** Packages that the framework takes from the Java platform or the product. */
    private static final Set<String> TAKEN = Set.of("java", "javax", "dev.millrace");

    ProjectName
    {
        if (!NAME.matcher(name).matches())
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0260", "not a name of an application, name=" + name,
                "use letters, digits, and single dots, hyphens and underscores between them, such as prices.alert");
        }
        if (!SourceVersion.isName(javaPackage) ||
            TAKEN.stream().anyMatch(taken -> (javaPackage + '.').startsWith(taken + '.')))
        {
            throw new CommandException(ExitCode.USAGE, "CMD-0261", "not a name of a Java package for an application," +
                " package=" + javaPackage, "specify one such as --package com.acme.prices");
        }
    }

    /** Returns names with the package {@code com.example} and the name, if the package is {@code null}. */
    static ProjectName of(final String name, final String javaPackage)
    {
        return new ProjectName(name, javaPackage == null ?
            "com.example." + name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]", "") : javaPackage);
    }

    /** Returns the directory of the package. */
    String packageDirectory()
    {
        return javaPackage.replace('.', '/');
    }
}
