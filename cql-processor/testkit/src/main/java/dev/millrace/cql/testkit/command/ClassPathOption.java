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

/** Java classes that statements call, as a server's application would provide them. Not thread-safe. */
final class ClassPathOption
{
    @Option(
        names = "--classpath", paramLabel = "PATH",
        description = "Jars and directories with the Java classes that statements call, separated as on the command " +
            "line of java. Classes of the Java library need none.")
    private String path;

    /** Sets the class loader of this thread, in which the planner looks for classes. */
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
                throw new ToolException("CMD-0312", "jar or directory does not exist, path=" + part,
                    "specify paths of jars and of directories of classes");
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
