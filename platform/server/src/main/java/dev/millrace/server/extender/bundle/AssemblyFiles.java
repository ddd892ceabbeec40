package dev.millrace.server.extender.bundle;

import dev.millrace.assembly.ConfigurationResource;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import org.osgi.framework.Bundle;

/**
 * The assembly files of a bundle: all files of {@code META-INF/spring}, or those listed in the header {@code
 * Spring-Context}.
 *
 * @param paths          paths in the bundle, in order
 * @param publishContext whether the context is published as a service
 */
public record AssemblyFiles(List<String> paths, boolean publishContext)
{
    static final String FOLDER = "META-INF/spring";

    static final String HEADER = "Spring-Context";

    /** Whether the bundle is an application. */
    public static boolean isApplication(final Bundle bundle)
    {
        return bundle.getHeaders("").get(HEADER) != null || !entries(bundle, FOLDER).isEmpty();
    }

    public static AssemblyFiles of(final Bundle bundle) throws DeploymentException
    {
        final String header = bundle.getHeaders("").get(HEADER);
        if (header == null)
        {
            return new AssemblyFiles(entries(bundle, FOLDER), true);
        }
        final List<String> paths = new ArrayList<>();
        boolean publish = true;
        for (final String clause : header.split(","))
        {
            for (final String part : clause.split(";"))
            {
                final String text = part.trim();
                if (text.startsWith("publish-context:="))
                {
                    publish = Boolean.parseBoolean(text.substring("publish-context:=".length()));
                }
                else if (text.contains(":=") || text.isEmpty())
                {
                    throw refuse(bundle, "unknown directive, header=" + HEADER + " directive=" + text,
                        "the supported directive is publish-context; contexts always start in the background and wait"
                            + " as long as their osgi:reference elements specify");
                }
                else if (text.equals("*"))
                {
                    paths.addAll(entries(bundle, FOLDER));
                }
                else
                {
                    paths.add(existing(bundle, text));
                }
            }
        }
        return new AssemblyFiles(paths.isEmpty() ? entries(bundle, FOLDER) : paths, publish);
    }

    private static String existing(final Bundle bundle, final String path) throws DeploymentException
    {
        if (bundle.getEntry(path) == null)
        {
            throw refuse(bundle, "the bundle does not contain the file, header=" + HEADER + " path=" + path,
                "correct the header or add the file to the bundle");
        }
        return path;
    }

    private static DeploymentException refuse(final Bundle bundle, final String text, final String hint)
    {
        // SRV-0307: the manifest names assembly files that cannot be used: correct the header
        return new DeploymentException("SRV-0307",
            new SourcePosition(bundle.getSymbolicName() + "!META-INF/MANIFEST.MF", 0, 0), text, hint);
    }

    public List<ConfigurationResource> resources(final Bundle bundle)
    {
        return paths.stream().map(path -> resource(bundle, path)).toList();
    }

    /** Returns the files of a folder of a bundle. */
    public static List<ConfigurationResource> folder(final Bundle bundle, final String folder)
    {
        return entries(bundle, folder).stream().map(path -> resource(bundle, path)).toList();
    }

    private static ConfigurationResource resource(final Bundle bundle, final String path)
    {
        final URL url = bundle.getEntry(path);
        return new ConfigurationResource(path, url::openStream);
    }

    private static List<String> entries(final Bundle bundle, final String folder)
    {
        final Enumeration<URL> found = bundle.findEntries(folder, "*.xml", false);
        if (found == null)
        {
            return List.of();
        }
        return Collections.list(found).stream().map(url -> url.getPath().replaceFirst("^/", ""))
            .sorted(Comparator.naturalOrder()).toList();
    }
}
