package dev.millrace.tuning.nexmark;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Loops of the queries that look at one bid at a time: q0, q1, q2, q10, q13, q14, q21, q22. */
final class RowLoops
{
    private static final long HOUR_NS = 3_600L * HandLoop.SECOND_NS;
    private static final long MINUTE_NS = 60L * HandLoop.SECOND_NS;
    private static final double DOLLARS = 0.908;

    private RowLoops()
    {
    }

    /** All columns, for q1 with another price. */
    static final class Copy extends HandLoop
    {
        private final boolean inDollars;

        Copy(final NexmarkData data, final boolean inDollars)
        {
            super(data);
            this.inDollars = inDollars;
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            out.number(auctionOf(at));
            out.number(bidderOf(at));
            if (inDollars)
            {
                out.real(data.bidPrice[at] * DOLLARS);
            }
            else
            {
                out.number(data.bidPrice[at]);
            }
            out.number(timeNs);
            out.text(data.extras, data.bidExtra[at]);
            out.insert();
        }
    }

    /** Bids on every 123rd auction. */
    static final class Selection extends HandLoop
    {
        Selection(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final long auction = auctionOf(at);
            if (auction % 123 == 0)
            {
                out.number(auction);
                out.number(data.bidPrice[at]);
                out.insert();
            }
        }
    }

    /** Day and minute as texts, made once a minute. */
    static final class Dates extends HandLoop
    {
        private final TextPool texts = new TextPool();
        private long minute = -1;
        private int day;
        private int clock;

        Dates(final NexmarkData data)
        {
            super(data);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            if (timeNs / MINUTE_NS != minute)
            {
                minute = timeNs / MINUTE_NS;
                final LocalDateTime time = LocalDateTime.ofEpochSecond(minute * 60, 0, ZoneOffset.UTC);
                day = texts.indexOf(time.toLocalDate().toString());
                clock = texts.indexOf(String.format(Locale.ROOT, "%02d:%02d", time.getHour(), time.getMinute()));
            }
            out.number(auctionOf(at));
            out.number(bidderOf(at));
            out.number(data.bidPrice[at]);
            out.number(timeNs);
            out.text(data.extras, data.bidExtra[at]);
            out.text(texts, day);
            out.text(texts, clock);
            out.insert();
        }
    }

    /** A value of a table of 10,000 for each bid. */
    static final class SideInput extends HandLoop
    {
        private final LongMap places = new LongMap();
        private final TextPool values = new TextPool(Side.values());

        SideInput(final NexmarkData data)
        {
            super(data);
            for (int i = 0; i < Side.SIZE; i++)
            {
                places.put(i, i);
            }
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final int value = places.get(auctionOf(at) % Side.SIZE);
            if (value >= 0)
            {
                out.number(auctionOf(at));
                out.number(bidderOf(at));
                out.number(data.bidPrice[at]);
                out.number(timeNs);
                out.text(values, value);
                out.insert();
            }
        }
    }

    /** CASE of the hour and characters counted, once a text. */
    static final class Calculation extends HandLoop
    {
        private final TextPool kinds = TextPool.of("dayTime,nightTime,otherTime");
        private final int[] counts;

        Calculation(final NexmarkData data)
        {
            super(data);
            counts = new int[data.extras.size()];
            Arrays.fill(counts, -1);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final double price = data.bidPrice[at] * DOLLARS;
            if (price > 1_000_000 && price < 50_000_000)
            {
                final long hour = timeNs / HOUR_NS % 24;
                out.number(auctionOf(at));
                out.number(bidderOf(at));
                out.real(price);
                out.text(kinds, hour >= 8 && hour <= 18 ? 0 : hour <= 6 || hour >= 20 ? 1 : 2);
                out.number(timeNs);
                final int extra = data.bidExtra[at];
                out.text(data.extras, extra);
                if (counts[extra] < 0)
                {
                    counts[extra] = (int)NexmarkFunctions.countChar(data.extras.text(extra), "c");
                }
                out.number(counts[extra]);
                out.insert();
            }
        }
    }

    /** The number of the channel from its name or from the address, once a text. */
    static final class ChannelNumber extends HandLoop
    {
        private static final int UNKNOWN = -2;
        private static final Pattern CHANNEL = Pattern.compile("(&|^)channel_id=([^&]*)");

        private final TextPool texts = new TextPool();
        private final int[] numbers;

        ChannelNumber(final NexmarkData data)
        {
            super(data);
            numbers = new int[data.channels.size()];
            Arrays.fill(numbers, UNKNOWN);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final int channel = data.bidChannel[at];
            if (numbers[channel] == UNKNOWN)
            {
                numbers[channel] = number(data.channels.text(channel), data.urls.text(data.bidUrl[at]));
            }
            if (numbers[channel] >= 0)
            {
                out.number(auctionOf(at));
                out.number(bidderOf(at));
                out.number(data.bidPrice[at]);
                out.text(data.channels, channel);
                out.text(texts, numbers[channel]);
                out.insert();
            }
        }

        private int number(final String channel, final String url)
        {
            final int known = Arrays.asList("apple", "google", "facebook", "baidu")
                .indexOf(channel.toLowerCase(Locale.ROOT));
            final String number = known >= 0 ? Integer.toString(known) : inAddress(url);
            return number == null ? -1 : texts.indexOf(number);
        }

        private static String inAddress(final String url)
        {
            final Matcher matcher = CHANNEL.matcher(url);
            return matcher.find() ? matcher.group(2) : null;
        }
    }

    /** Three parts of the address, split once a text. */
    static final class Directories extends HandLoop
    {
        private static final int PARTS = 3;

        private final TextPool texts = new TextPool();
        private final int[] parts;

        Directories(final NexmarkData data)
        {
            super(data);
            parts = new int[data.urls.size() * PARTS];
            Arrays.fill(parts, -1);
        }

        @Override
        void bid(final int at, final long timeNs)
        {
            final int first = data.bidUrl[at] * PARTS;
            if (parts[first] < 0)
            {
                final String[] all = data.urls.text(data.bidUrl[at]).split("/");
                for (int i = 0; i < PARTS; i++)
                {
                    parts[first + i] = texts.indexOf(all[PARTS + i]);
                }
            }
            out.number(auctionOf(at));
            out.number(bidderOf(at));
            out.number(data.bidPrice[at]);
            out.text(data.channels, data.bidChannel[at]);
            out.text(texts, parts[first]);
            out.text(texts, parts[first + 1]);
            out.text(texts, parts[first + 2]);
            out.insert();
        }
    }
}
