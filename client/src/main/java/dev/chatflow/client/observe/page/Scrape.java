package dev.chatflow.client.observe.page;

import dev.chatflow.client.series.Samples;

/** Samples of one metrics page. */
public record Scrape(String source, Samples samples) {}
