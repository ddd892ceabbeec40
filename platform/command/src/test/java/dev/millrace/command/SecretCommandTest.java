package dev.millrace.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.api.secret.SecretKeys;
import dev.millrace.command.cli.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SecretCommandTest
{
    private static final String SECRET = "open-sesame";

    @TempDir
    private Path domain;

    private final StringWriter out = new StringWriter();

    private final StringWriter err = new StringWriter();

    @BeforeEach
    void makeDomain() throws IOException
    {
        Files.createDirectories(domain.resolve("config"));
        Files.writeString(domain.resolve("startwlevs.sh"), "#!/bin/sh\n");
        Files.writeString(domain.resolve("config/config.xml"), "<config/>\n");
    }

    private int run(final String input, final String verb)
    {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        final InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
        try
        {
            return Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err))
                .execute("secret", verb, "--domain", domain.toString());
        }
        finally
        {
            System.setIn(before);
        }
    }

    private SecretKeys keys() throws Exception
    {
        return SecretKeys.read(domain.resolve("config/secret.key"));
    }

    @Test
    void shouldEncryptOneLineOfStandardInputAndMakeTheKeyOnce() throws Exception
    {
        assertThat(run(SECRET + "\nmore\n", "encrypt")).as(err.toString()).isZero();
        assertThat(err.toString()).startsWith("key file created: ").doesNotContain(SECRET);
        assertThat(keys().decrypt(out.toString().strip())).isEqualTo(SECRET);
        assertThat(PosixFilePermissions.toString(
            Files.getPosixFilePermissions(domain.resolve("config/secret.key")))).isEqualTo("rw-------");

        final String first = out.toString().strip();
        assertThat(run("another\n", "encrypt")).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(keys().decrypt(first)).isEqualTo(SECRET);
        assertThat(run("", "encrypt")).isEqualTo(ExitCode.USAGE);
        assertThat(err.toString()).startsWith("CMD-0220");
    }

    @Test
    void shouldEncryptAllSecretsAnewAndLeaveTheRestOfTheFileAsItIs() throws Exception
    {
        assertThat(run("", "rekey")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("CMD-0221").contains("millrace secret encrypt");
        assertThat(run(SECRET, "encrypt")).isZero();
        final String old = out.toString().strip();
        final Path file = domain.resolve("config/config.xml");
        Files.writeString(file, "<config>\r\n <!-- ü --><a>" + old + "</a>\n <b> " + old + " </b></config>");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThat(run("", "rekey")).as(err.toString()).isZero();
        assertThat(out.toString()).startsWith("encrypted again: 2, key file ");
        final String text = Files.readString(file);
        assertThat(text).doesNotContain(old).matches("(?s)<config>\r\n <!-- ü --><a>\\{AES}.*</a>\n <b> \\{AES}.* </b>"
            + "</config>");
        assertThat(keys().decrypt(text.replaceAll("(?s).*<a>(.*)</a>.*", "$1"))).isEqualTo(SECRET);
        assertThat(keys().decrypt(text.replaceAll("(?s).*<b> (.*) </b>.*", "$1"))).isEqualTo(SECRET);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-r-----");
        assertThat(Files.readAllLines(domain.resolve("config/secret.key"))).hasSize(1);
    }

    @Test
    void shouldKeepBothKeysWhenATextCannotBeDecrypted() throws Exception
    {
        assertThat(run(SECRET, "encrypt")).isZero();
        final String mine = out.toString().strip();
        final String foreign = SecretKeys.random().encrypt(SECRET);
        final Path file = domain.resolve("config/config.xml");
        Files.writeString(file, "<config><a>" + mine + "</a><b>" + foreign + "</b></config>");

        assertThat(run("", "rekey")).isEqualTo(ExitCode.FAILED);
        assertThat(err.toString()).startsWith("CMD-0222").doesNotContain(foreign, mine);
        assertThat(Files.readString(file)).contains(mine, foreign);
        assertThat(keys().decrypt(mine)).isEqualTo(SECRET);
    }
}
