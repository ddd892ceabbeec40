package dev.millrace.launcher;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the bundles to install: {@code bundles/NN-name/*.jar}, where NN is the start level, and directories in the same
 * folder that contain an unpacked bundle. Bundles with nested jars should be unpacked, because the framework would copy
 * those jars into its storage at every start.
 */
final class BundleFolders
{
    private static final Pattern FOLDER = Pattern.compile("(\\d{1,3})-[A-Za-z0-9._-]+");

    /**
     * A bundle to install.
     *
     * @param path       its jar or directory
     * @param startLevel level of its folder
     */
    record BundleFile(Path path, int startLevel)
    {
    }

    private BundleFolders()
    {
    }

    static List<BundleFile> read(final Path bundles) throws LaunchException
    {
        final List<BundleFile> found = new ArrayList<>();
        try
        {
            for (final Path folder : sorted(bundles, "*"))
            {
                final Matcher matcher = FOLDER.matcher(folder.getFileName().toString());
                if (!Files.isDirectory(folder) || !matcher.matches() || Integer.parseInt(matcher.group(1)) == 0)
                {
                    throw new LaunchException(ExitCode.START_FAILED, "SRV-0004: not a bundle folder, path=" + folder
                        + "\n    hint: folders are named NN-name where NN is the start level from 1, for example "
                        + "30-platform; move anything else away");
                }
                final int startLevel = Integer.parseInt(matcher.group(1));
                sorted(folder, "*").stream().filter(BundleFolders::isBundle)
                    .forEach(path -> found.add(new BundleFile(path, startLevel)));
            }
        }
        catch (final IOException e)
        {
            throw new LaunchException(ExitCode.START_FAILED, "SRV-0004: cannot read bundle folders, path=" + bundles
                + " reason=" + e + "\n    hint: unpack the distribution again", e);
        }
        if (found.isEmpty())
        {
            throw new LaunchException(ExitCode.START_FAILED, "SRV-0004: no bundles, path=" + bundles
                + "\n    hint: unpack the distribution again");
        }
        return found;
    }

    private static boolean isBundle(final Path path)
    {
        return path.getFileName().toString().endsWith(".jar") || Files.exists(path.resolve("META-INF/MANIFEST.MF"));
    }

    private static List<Path> sorted(final Path directory, final String glob) throws IOException
    {
        final List<Path> paths = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob))
        {
            stream.forEach(paths::add);
        }
        Collections.sort(paths);
        return paths;
    }
}
