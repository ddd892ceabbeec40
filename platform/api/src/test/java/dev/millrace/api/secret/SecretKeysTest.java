package dev.millrace.api.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.api.secret.SecretException.Reason;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SecretKeysTest
{
    private static final String SECRET = "geheim ü \n {AES}";

    @TempDir
    private Path directory;

    private static Reason reason(final SecretKeys keys, final String text)
    {
        final SecretException e = catchThrowableOfType(SecretException.class, () -> keys.decrypt(text));
        assertThat(e.toString()).doesNotContain(SECRET).doesNotContain("{AES}");
        return e.reason();
    }

    @Test
    void shouldGiveBackWhatWasEncryptedAndNeverTheSameTextTwice() throws Exception
    {
        final SecretKeys keys = SecretKeys.random();
        final String one = keys.encrypt(SECRET);

        assertThat(one).startsWith("{AES}").isNotEqualTo(keys.encrypt(SECRET));
        assertThat(keys.decrypt(one)).isEqualTo(SECRET);
        // Version 1, id 4, nonce 12, text 17 bytes in UTF-8, tag 16.
        assertThat(Base64.getDecoder().decode(one.substring(5))).hasSize(50);
    }

    @Test
    void shouldTellAnotherKeyFromADamagedText()
    {
        final SecretKeys keys = SecretKeys.random();
        final String text = keys.encrypt(SECRET);

        assertThat(reason(SecretKeys.random(), text)).isEqualTo(Reason.OTHER_KEY);
        final byte[] bytes = Base64.getDecoder().decode(text.substring(5));
        for (int i = 5; i < bytes.length; i++)
        {
            final byte[] changed = bytes.clone();
            changed[i] ^= 1;
            assertThat(reason(keys, "{AES}" + Base64.getEncoder().encodeToString(changed))).as("byte " + i)
                .isEqualTo(Reason.DAMAGED);
        }
        for (final String bad : new String[] {"{AES}", "{AES}AAAA", "{AES}" + "%".repeat(60), "plain",
            text.substring(0, 40)})
        {
            assertThat(reason(keys, bad)).as(bad).isEqualTo(Reason.DAMAGED);
        }
    }

    @Test
    void shouldKeepTheKeyToItsOwnerAndRefuseOneThatIsOpenToOthers() throws Exception
    {
        final Path file = directory.resolve("secret.key");
        final SecretKeys keys = SecretKeys.random();
        keys.write(file);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        assertThat(SecretKeys.read(file).decrypt(keys.encrypt(SECRET))).isEqualTo(SECRET);
        for (final String mode : new String[] {"rw-r-----", "rw----r--", "rw--w----", "rwx------"})
        {
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
            final SecretException e = catchThrowableOfType(SecretException.class, () -> SecretKeys.read(file));
            assertThat(e.reason()).as(mode).isEqualTo(Reason.WIDE_MODE);
        }
    }

    @Test
    void shouldSayWhatAKeyFileIsWithoutQuotingIt() throws Exception
    {
        final Path file = directory.resolve("secret.key");
        assertThat(catchThrowableOfType(SecretException.class, () -> SecretKeys.read(file)).reason())
            .isEqualTo(Reason.NO_KEY);
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        for (final String content : new String[] {"", "hunter2\n", "aes-256-gcm:hunter2%\n", "aes-256-gcm:AAAA\n"})
        {
            Files.writeString(file, content);
            final SecretException e = catchThrowableOfType(SecretException.class, () -> SecretKeys.read(file));
            assertThat(e.reason()).as(content).isEqualTo(Reason.BAD_KEY);
            assertThat(e.toString()).doesNotContain("hunter2");
        }
    }

    @Test
    void shouldDecryptWithOldAndNewKeyWhileItIsRenewed() throws Exception
    {
        final SecretKeys old = SecretKeys.random();
        final SecretKeys both = old.renewed();
        final String before = old.encrypt(SECRET);
        final String after = both.encrypt(SECRET);

        assertThat(both.decrypt(before)).isEqualTo(both.decrypt(after)).isEqualTo(SECRET);
        assertThat(reason(both.newest(), before)).isEqualTo(Reason.OTHER_KEY);
        assertThat(both.newest().decrypt(after)).isEqualTo(SECRET);
    }
}
