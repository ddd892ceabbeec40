package dev.millrace.command.instance;

import dev.millrace.api.secret.SecretException;
import dev.millrace.api.secret.SecretKeys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The key file of a domain, and the encrypted values in its {@code config.xml}. Not thread-safe. */
public final class DomainSecrets
{
    private static final Pattern ENCRYPTED =
        Pattern.compile(Pattern.quote(SecretKeys.PREFIX) + "[A-Za-z0-9+/=]+");

    private final Path domain;

    /** @param domain its directory */
    public DomainSecrets(final Path domain)
    {
        this.domain = domain;
    }

    /** Returns the key file, which may be missing. */
    public Path keyFile()
    {
        return domain.resolve(SecretKeys.FILE);
    }

    /** Returns the file with the encrypted values. */
    public Path configuration()
    {
        return domain.resolve("config").resolve("config.xml");
    }

    /**
     * Encrypts all values with a new key. The key file contains both keys until the values are written, so that the
     * operation can be interrupted at any point.
     *
     * @param keys keys of the domain
     * @return number of values
     * @throws SecretException when a value cannot be decrypted; the key file then contains both keys
     * @throws IOException     when a file cannot be read or written
     */
    public int rekey(final SecretKeys keys) throws SecretException, IOException
    {
        final SecretKeys both = keys.renewed();
        both.write(keyFile());
        final Matcher matcher = ENCRYPTED.matcher(Files.readString(configuration(), StandardCharsets.ISO_8859_1));
        final StringBuilder text = new StringBuilder();
        int count = 0;
        while (matcher.find())
        {
            matcher.appendReplacement(text, Matcher.quoteReplacement(both.encrypt(both.decrypt(matcher.group()))));
            count++;
        }
        matcher.appendTail(text);
        replace(text.toString().getBytes(StandardCharsets.ISO_8859_1));
        both.newest().write(keyFile());
        return count;
    }

    private void replace(final byte[] content) throws IOException
    {
        final Path next = configuration().resolveSibling("config.xml.next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(next, content, StandardOpenOption.WRITE);
        Files.setPosixFilePermissions(next, Files.getPosixFilePermissions(configuration()));
        Files.move(next, configuration(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
