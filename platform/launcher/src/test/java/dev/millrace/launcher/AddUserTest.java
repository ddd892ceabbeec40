package dev.millrace.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
@Timeout(180)
class AddUserTest
{
    @Test
    void shouldReplaceTheLineOfAUserAndKeepTheOthers(@TempDir final Path directory) throws Exception
    {
        final Path file = directory.resolve("users");
        Files.write(file, List.of("# people", "ada:old", "adam:other"));

        AddUser.write(file, "ada", AddUser.line("ada", "right horse battery".toCharArray()));

        final List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(3).startsWith("# people", "adam:other");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        final String[] fields = lines.get(2).split(":");
        assertThat(fields).startsWith("ada", "pbkdf2-sha256", "600000");
        final byte[] hash = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(new PBEKeySpec(
            "right horse battery".toCharArray(), Base64.getDecoder().decode(fields[3]), 600_000, 256)).getEncoded();
        assertThat(Base64.getDecoder().decode(fields[4])).isEqualTo(hash);
    }
}
