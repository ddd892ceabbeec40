package dev.millrace.cql.testkit.command;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs commands in a directory and records their output. */
final class ToolHarness
{
    private final Path folder;
    private String input = "";
    private String out = "";
    private String err = "";
    private int exit = -1;

    ToolHarness(final Path folder)
    {
        this.folder = folder;
    }

    /** Writes a file of some lines; returns its path. */
    String file(final String name, final String... lines) throws IOException
    {
        final Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, String.join("\n", lines) + "\n").toString();
    }

    ToolHarness input(final String... lines)
    {
        input = String.join("\n", lines) + "\n";
        return this;
    }

    ToolHarness run(final String... arguments)
    {
        final StringWriter outText = new StringWriter();
        final StringWriter errText = new StringWriter();
        exit = CqlTool.run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintWriter(outText, true), new PrintWriter(errText, true), arguments);
        out = outText.toString();
        err = errText.toString();
        return this;
    }

    int exit()
    {
        return exit;
    }

    String out()
    {
        return out;
    }

    String err()
    {
        return err;
    }

    Path folder()
    {
        return folder;
    }
}
