package dev.millrace.tuning.kit;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;

/** The statements of the kit by their keys: built-in ones, and those of a user's file. Immutable. */
final class Statements
{
    private static final String RESOURCE = "statements.properties";
    private static final String SYMBOL = "$";

    private final Properties texts = new Properties();

    /**
     * Reads the statements.
     *
     * @param file with additional ones, which take precedence; {@code null} for none
     * @throws KitException when it cannot be read
     */
    Statements(final Path file)
    {
        try (InputStream own = Statements.class.getResourceAsStream(RESOURCE))
        {
            texts.load(own);
        }
        catch (final IOException e)
        {
            throw new IllegalStateException("internal error, please report it: the kit's statements cannot be read", e);
        }
        if (file != null)
        {
            try (Reader reader = Files.newBufferedReader(file))
            {
                texts.load(reader);
            }
            catch (final IOException | IllegalArgumentException e)
            {
                throw new KitException(KitException.USAGE, "CMD-0171", "the file of statements cannot be read, file=" +
                    file + " reason=" + e.getMessage(), "write lines like MINE=select ticker, price from Market " +
                    "where ticker = '$'");
            }
        }
    }

    /** All keys, in order. */
    List<String> modes()
    {
        return List.copyOf(new TreeSet<>(texts.stringPropertyNames()));
    }

    /**
     * The statements of a mode.
     *
     * @param mode key
     * @param data provides the names of the symbols
     * @return one per symbol, or one, or none
     * @throws KitException when the mode does not exist
     */
    List<String> of(final String mode, final MarketData data)
    {
        final String text = texts.getProperty(mode);
        if (text == null)
        {
            throw new KitException(KitException.USAGE, "CMD-0172", "unknown mode, mode=" + mode + " known=" +
                String.join(", ", modes()), "choose one, or add it to a file and specify it with -statements");
        }
        if (text.isBlank())
        {
            return List.of();
        }
        if (!text.contains(SYMBOL))
        {
            return List.of(text);
        }
        final List<String> all = new ArrayList<>();
        for (int i = 0; i < data.symbols(); i++)
        {
            all.add(text.replace(SYMBOL, data.ticker(i)));
        }
        return all;
    }
}
