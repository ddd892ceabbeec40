package dev.millrace.cql.testkit.command;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Java classes that statements call, as a server's application would bring them. For one thread. */
final class ClassPathOption
{
    @Option(
        names = "--classpath", paramLabel = "PATH",
        description = "Jars and directories with the Java classes that statements call, separated as on the command " +
            "line of java. Classes of the Java library need none.")
    private String path;

    /** Makes the classes those of this thread, where the planner looks for them. */
    void use()
    {
        if (path == null)
        {
            return;
        }
        final List<URL> urls = new ArrayList<>();
        for (final String part : path.split(File.pathSeparator))
        {
            final Path file = Path.of(part);
            if (!Files.exists(file))
            {
                throw new ToolException("CMD-0312", "there is no such jar or directory, path=" + part,
                    "give the paths of jars and of directories of classes");
            }
            try
            {
                urls.add(file.toUri().toURL());
            }
            catch (final MalformedURLException impossible)
            {
                throw new IllegalStateException("a file has no address, file=" + file, impossible);
            }
        }
        final Thread thread = Thread.currentThread();
        thread.setContextClassLoader(
            new URLClassLoader(urls.toArray(new URL[0]), thread.getContextClassLoader()));
    }
}
