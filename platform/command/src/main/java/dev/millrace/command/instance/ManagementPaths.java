package dev.millrace.command.instance;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Where things are at the management endpoint. */
final class ManagementPaths
{
    private ManagementPaths()
    {
    }

    /** Something of an application. */
    static String application(final String name, final String rest)
    {
        return "/apps/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + rest;
    }

    /** A configuration file of an application. */
    static String configuration(final String name, final String fileName)
    {
        return application(name, "/configuration/" + encoded(fileName));
    }

    /** The same, of the name of a file here. */
    static String configuration(final String name, final Path file)
    {
        return configuration(name, fileName(file));
    }

    /** A processor of an application. */
    static String processor(final String application, final String processor)
    {
        return application(application, "/processors/" + encoded(processor));
    }

    /** A name as one part of a path or as a value behind it. */
    static String encoded(final String part)
    {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The last part of a file's name, in signs that a header can hold. */
    static String fileName(final Path file)
    {
        return String.valueOf(file.getFileName()).replaceAll("[^\\x21-\\x7e]", "_");
    }
}
