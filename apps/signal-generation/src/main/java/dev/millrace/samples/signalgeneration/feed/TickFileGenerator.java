package dev.millrace.samples.signalgeneration.feed;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Writes the tick file: {@value #ROUNDS} rounds, each with one tick per symbol in a new order. Every run writes the
 * same file.
 *
 * <p>Most price changes are small (less than two percent). Occasionally a price jumps by more than two percent once, or
 * repeatedly: four to six such jumps in one direction. The shares are chosen so that the sample emits results for 5.85
 * percent of the ticks when the file is played repeatedly.
 */
public final class TickFileGenerator
{
    /** Number of occurrences of each symbol. */
    public static final int ROUNDS = 40;

    private static final long SEED = 5_850L;
    private static final double JUMP_SHARE = 0.22;
    private static final double RUN_SHARE = 0.010;
    private static final int SHORTEST_RUN = 4;
    private static final int RUN_LENGTHS = 3;
    private static final double SMALLEST_JUMP = 0.022;
    private static final double JUMP_SPREAD = 0.018;
    private static final double GREATEST_CREEP = 0.017;
    private static final double GREATEST_DISTANCE = 1.25;
    private static final double LOWEST_PRICE = 20;
    private static final double PRICE_SPREAD = 480;

    private final Random random = new Random(SEED);

    /** State of one symbol. Prices are whole cents. */
    private static final class Share
    {
        final String symbol;
        final double base;
        double price;
        int runLeft;
        int direction;

        Share(final String symbol, final double base)
        {
            this.symbol = symbol;
            this.base = base;
            this.price = base;
        }
    }

    private TickFileGenerator()
    {
    }

    /**
     * Writes the file.
     *
     * @param args the file to write
     * @throws IOException when it cannot be written
     */
    public static void main(final String[] args) throws IOException
    {
        if (args.length != 1)
        {
            throw new IllegalArgumentException("usage: TickFileGenerator FILE");
        }
        final Path file = Path.of(args[0]).toAbsolutePath();
        Files.createDirectories(file.getParent());
        try (BufferedWriter out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII))
        {
            for (final String line : lines())
            {
                out.write(line);
                out.write('\n');
            }
        }
    }

    /** The lines of the file, each {@code symbol,price}. */
    public static List<String> lines()
    {
        return new TickFileGenerator().play();
    }

    private List<String> play()
    {
        final List<Share> shares = new ArrayList<>();
        for (final String symbol : Market.symbols())
        {
            shares.add(new Share(symbol, Math.rint((LOWEST_PRICE + PRICE_SPREAD * random.nextDouble()) * 100) / 100));
        }
        final List<String> lines = new ArrayList<>(ROUNDS * shares.size());
        for (int round = 0; round < ROUNDS; round++)
        {
            Collections.shuffle(shares, random);
            for (final Share share : shares)
            {
                move(share);
                lines.add(String.format(Locale.ROOT, "%s,%.2f", share.symbol, share.price));
            }
        }
        return lines;
    }

    private void move(final Share share)
    {
        final double dice = random.nextDouble();
        final double size = SMALLEST_JUMP + JUMP_SPREAD * random.nextDouble();
        final double creep = GREATEST_CREEP * (2 * random.nextDouble() - 1);
        if (share.runLeft > 0)
        {
            share.runLeft--;
        }
        else
        {
            share.direction = direction(share);
            if (dice < RUN_SHARE)
            {
                share.runLeft = SHORTEST_RUN - 1 + random.nextInt(RUN_LENGTHS);
            }
            else if (dice >= RUN_SHARE + JUMP_SHARE)
            {
                share.price = Math.rint(share.price * (1 + creep) * 100) / 100;
                return;
            }
        }
        share.price = Math.rint(share.price * (1 + share.direction * size) * 100) / 100;
    }

    private int direction(final Share share)
    {
        if (share.price > share.base * GREATEST_DISTANCE)
        {
            return -1;
        }
        if (share.price < share.base / GREATEST_DISTANCE)
        {
            return 1;
        }
        return random.nextBoolean() ? 1 : -1;
    }
}
