package dev.millrace.command.demo;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** Copies of the sample application with other files. */
public final class SampleBundle
{
    /** The file with its network. */
    public static final String ASSEMBLY = "META-INF/spring/signalgeneration.context.xml";
    /** The file with its rules. */
    public static final String RULES = "META-INF/wlevs/signalgeneration.xml";

    private static final String PROCESSOR = "<name>processor1</name>";

    private SampleBundle()
    {
    }

    /**
     * Writes a copy.
     *
     * @param changes new content of files, by name
     * @return the target
     * @throws IOException when a file cannot be read or written
     */
    public static Path copy(final Path sample, final Path target, final Map<String, UnaryOperator<String>> changes)
        throws IOException
    {
        int changed = 0;
        try (ZipFile source = new ZipFile(sample.toFile());
            ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(target)))
        {
            for (final ZipEntry entry : Collections.list(source.entries()))
            {
                final byte[] bytes = source.getInputStream(entry).readAllBytes();
                final String before = new String(bytes, StandardCharsets.UTF_8);
                final String after =
                    changes.getOrDefault(entry.getName(), UnaryOperator.identity()).apply(before);
                out.putNextEntry(new ZipEntry(entry.getName()));
                out.write(before.equals(after) ? bytes : after.getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
                changed += before.equals(after) ? 0 : 1;
            }
        }
        if (changed != changes.size())
        {
            throw new CommandException(ExitCode.FAILED, "CMD-0206", "the sample has been changed, file=" + sample +
                " files=" + changes.keySet(), "build the product again");
        }
        return target;
    }

    /** Returns the text of {@link #RULES} with a durable processor. */
    public static String durable(final String rules)
    {
        return rules.replace(PROCESSOR, PROCESSOR + "<durable>true</durable>");
    }
}
