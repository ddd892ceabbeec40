package dev.millrace.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Replaces programs of the machine, so that a script detects another operating system. Not thread-safe. */
final class PretendedPrograms
{
    private final Path directory;
    private final Map<String, String> environment = new HashMap<>();

    PretendedPrograms(final Path directory)
    {
        this.directory = directory;
    }

    void add(final String name, final String text) throws IOException
    {
        final Path program = Files.createDirectories(directory).resolve(name);
        Files.writeString(program, text);
        assertThat(program.toFile().setExecutable(true)).isTrue();
        environment.put("PATH", directory + ":" + System.getenv("PATH"));
    }

    void addSystem(final String name) throws IOException
    {
        add("uname", "#!/bin/sh\necho " + name + "\n");
    }

    /** Returns the environment for the script, including the given variables. */
    Map<String, String> environment()
    {
        return environment;
    }
}
