dist_man_MANS += man/ibaudit.1 man/ibaudit.conf.5 man/ibaudit-rules.7
