package dev.millrace.command.management;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Paths of the management endpoint. */
final class ManagementPaths
{
    private ManagementPaths()
    {
    }

    /** Returns a path of an application. */
    static String application(final String name, final String rest)
    {
        return "/apps/" + URLEncoder.encode(name, StandardCharsets.UTF_8) + rest;
    }

    /** Returns the path of a configuration file of an application. */
    static String configuration(final String name, final String fileName)
    {
        return application(name, "/configuration/" + encoded(fileName));
    }

    /** Returns the path of the configuration file with the name of a local file. */
    static String configuration(final String name, final Path file)
    {
        return configuration(name, fileName(file));
    }

    /** Returns the path of a processor of an application. */
    static String processor(final String application, final String processor)
    {
        return application(application, "/processors/" + encoded(processor));
    }

    /** Encodes a name as a path segment or a query value. */
    static String encoded(final String part)
    {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Returns the last segment of a path, restricted to characters permitted in a header. */
    static String fileName(final Path file)
    {
        return String.valueOf(file.getFileName()).replaceAll("[^\\x21-\\x7e]", "_");
    }
}
