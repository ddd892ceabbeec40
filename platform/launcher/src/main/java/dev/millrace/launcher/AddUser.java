package dev.millrace.launcher;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Adds a user to {@code config/users} of a domain, or changes a user's password:
 * {@code java -cp 'HOME/lib/*' dev.millrace.launcher.AddUser DOMAIN NAME}. The password is prompted for, or read as one
 * line from standard input; the file contains a salted PBKDF2 hash of it. A running instance applies the change at
 * once.
 */
public final class AddUser
{
    private static final int ROUNDS = 600_000;

    private static final int SALT_BYTES = 16;

    private static final int HASH_BITS = 256;

    private static final int MIN_PASSWORD_CHARS = 12;

    private AddUser()
    {
    }

    /**
     * Runs the tool; exits the process when something is wrong.
     *
     * @param args domain directory and user name
     * @throws IOException when the file cannot be read or written
     */
    public static void main(final String[] args) throws IOException
    {
        if (args.length != 2 || !args[1].matches("[A-Za-z0-9._-]{1,64}") || !Files.isDirectory(Path.of(args[0])))
        {
            System.err.println("usage: AddUser DOMAIN NAME\n    DOMAIN is a domain directory, NAME consists of "
                + "letters, digits,"
                + " '.', '_' and '-'");
            System.exit(ExitCode.USAGE);
            return;
        }
        final char[] password = readPassword();
        if (password == null || password.length < MIN_PASSWORD_CHARS)
        {
            System.err.println("SRV-0008: password is too short, minimum=" + MIN_PASSWORD_CHARS
                + "\n    hint: several words are easy to remember");
            System.exit(ExitCode.USAGE);
            return;
        }
        final Path file = Path.of(args[0]).resolve("config").resolve("users");
        write(file, args[1], line(args[1], password));
        System.out.println("user " + args[1] + " written to " + file);
    }

    private static char[] readPassword() throws IOException
    {
        final Console console = System.console();
        if (console != null)
        {
            return console.readPassword("password: ");
        }
        final String line =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? null : line.toCharArray();
    }

    static String line(final String name, final char[] password)
    {
        final byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        try
        {
            final byte[] hash = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                .generateSecret(new PBEKeySpec(password, salt, ROUNDS, HASH_BITS)).getEncoded();
            final Base64.Encoder base64 = Base64.getEncoder();
            return name + ":pbkdf2-sha256:" + ROUNDS + ':' + base64.encodeToString(salt) + ':'
                + base64.encodeToString(hash);
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("this Java runtime lacks PBKDF2WithHmacSHA256", e);
        }
    }

    static void write(final Path file, final String name, final String line) throws IOException
    {
        final List<String> lines = new ArrayList<>(Files.exists(file) ? Files.readAllLines(file) : List.of());
        lines.removeIf(old -> old.startsWith(name + ':'));
        lines.add(line);
        final Path next = file.resolveSibling("users.next");
        Files.deleteIfExists(next);
        Files.createFile(next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(next, lines, StandardOpenOption.WRITE);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
